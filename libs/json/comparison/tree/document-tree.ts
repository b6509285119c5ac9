/** Stands for a value that does not exist. */
export const NONE = -1;

const INITIAL_CAPACITY = 64;
// Marks the slot of a member that is overridden by a later member with the same name.
const OVERRIDDEN = -2;

const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;

/**
 * The values of a JSON document, numbered from 0 in text order, so that a value comes before the values inside it. A
 * *node* is an object that is an element of an array, or the document itself.
 *
 * The values are stored in columns of numbers, because 1 MiB of JSON holds up to half a million values. As objects, the
 * values would take five times the memory, and the garbage collector would block the event loop.
 */
export class DocumentTree {
  count = 0;
  memberCount = 0;
  private starts = new Int32Array(INITIAL_CAPACITY);
  private ends = new Int32Array(INITIAL_CAPACITY);
  private parents = new Int32Array(INITIAL_CAPACITY);
  private nextValues = new Int32Array(INITIAL_CAPACITY);
  private owners = new Int32Array(INITIAL_CAPACITY);
  private slots = new Int32Array(INITIAL_CAPACITY);
  private classes = new Int32Array(INITIAL_CAPACITY);
  private holders = new Uint8Array(INITIAL_CAPACITY);

  constructor(readonly text: string) {}

  /** The object or array that contains the value. */
  parentOf(value: number): number {
    return this.parents[value] as number;
  }

  /** The nearest node that contains the value. */
  ownerOf(value: number): number {
    return this.owners[value] as number;
  }

  /** The next value in text order that is not inside this value. */
  endOfSubtree(value: number): number {
    return this.nextValues[value] as number;
  }

  /**
   * For an element, its index. For a member, the class of its name. Until the values are classified, a member has the
   * offset of its name in the text instead.
   */
  nameOrIndex(value: number): number {
    return this.slots[value] as number;
  }

  /** The class of the value (`content-classes.ts`). */
  classOf(value: number): number {
    return this.classes[value] as number;
  }

  startOf(value: number): number {
    return this.starts[value] as number;
  }

  endOf(value: number): number {
    return this.ends[value] as number;
  }

  textOf(value: number): string {
    return this.text.slice(this.starts[value], this.ends[value]);
  }

  isObject(value: number): boolean {
    return this.text.charCodeAt(this.startOf(value)) === OPEN_BRACE;
  }

  isArray(value: number): boolean {
    return this.text.charCodeAt(this.startOf(value)) === OPEN_BRACKET;
  }

  isContainer(value: number): boolean {
    return this.isObject(value) || this.isArray(value);
  }

  isMember(value: number): boolean {
    return value > 0 && this.isObject(this.parentOf(value));
  }

  isNode(value: number): boolean {
    return value === 0 || (this.isObject(value) && this.isArray(this.parentOf(value)));
  }

  /** Whether the value contains a node, directly or inside other values. */
  holdsNodes(value: number): boolean {
    return this.holders[value] === 1;
  }

  isOverridden(value: number): boolean {
    return this.slots[value] === OVERRIDDEN;
  }

  /** The next value in text order. Skips the values inside an overridden member. */
  after(value: number): number {
    return this.isOverridden(value) ? this.endOfSubtree(value) : value + 1;
  }

  /** The first member or element of an object or array; NONE if there is none. */
  firstChild(value: number): number {
    return this.childFrom(value + 1, this.endOfSubtree(value));
  }

  /** The next member or element of the same object or array; NONE if there is none. */
  nextChild(child: number): number {
    return this.childFrom(this.endOfSubtree(child), this.endOfSubtree(this.parentOf(child)));
  }

  private childFrom(start: number, end: number): number {
    let child = start;
    while (child < end && this.isOverridden(child)) child = this.endOfSubtree(child);
    return child < end ? child : NONE;
  }

  setClass(value: number, contentClass: number): void {
    this.classes[value] = contentClass;
  }

  setName(member: number, nameClass: number): void {
    this.slots[member] = nameClass;
  }

  override(member: number): void {
    this.slots[member] = OVERRIDDEN;
  }

  /** Adds a value that begins at `start`. */
  add(start: number, parent: number, slot: number): number {
    if (this.count === this.starts.length) this.grow();
    const value = this.count++;
    this.starts[value] = start;
    this.parents[value] = parent;
    this.owners[value] = parent === NONE || this.isNode(parent) ? parent : this.ownerOf(parent);
    this.slots[value] = slot;
    if (this.isMember(value)) this.memberCount++;
    return value;
  }

  /** Ends a value after all values inside it have been added. Returns its parent. */
  close(value: number, end: number): number {
    this.ends[value] = end;
    this.nextValues[value] = this.count;
    const parent = this.parentOf(value);
    if (parent !== NONE && (this.isNode(value) || this.holdsNodes(value))) this.holders[parent] = 1;
    return parent;
  }

  private grow(): void {
    this.starts = doubled(this.starts);
    this.ends = doubled(this.ends);
    this.parents = doubled(this.parents);
    this.nextValues = doubled(this.nextValues);
    this.owners = doubled(this.owners);
    this.slots = doubled(this.slots);
    this.classes = doubled(this.classes);
    this.holders = doubled(this.holders);
  }
}

function doubled<Column extends Int32Array | Uint8Array>(column: Column): Column {
  const larger = new (column.constructor as new (length: number) => Column)(column.length * 2);
  larger.set(column);
  return larger;
}
