import type { AtRule, Rule } from 'postcss';
import { targetsOf } from '../../drawing/index.js';
import { isObject, type DocumentNode } from '../../document/index.js';

type Attributes = Record<string, string>;
type Occasion = 'mobile' | 'dark' | 'hover';

/** A rule of a style sheet that Galley has written. Its selectors follow the class, such as `>div`. */
interface GalleyRule {
  occasion: Occasion;
  selectors: string[];
  declarations: string[];
}

const CLASS = /^\.galley-(\d+)/;
const MEDIA: Readonly<Record<string, Occasion>> = {
  'only screen and (max-width:479px)': 'mobile',
  '(prefers-color-scheme:dark)': 'dark',
  // The colours under the mouse apply in light mode alone, if a node has colours for dark mode.
  '(prefers-color-scheme:light)': 'hover',
};
const ALIGNMENTS = ['left', 'center', 'right', 'justify'];

/** The rules of Galley's own MJML: what a node changes on phones, in dark mode and under the mouse. */
export class GalleyRules {
  /** The background of the body in dark mode. */
  darkBackground: string | undefined;
  private readonly byClass = new Map<string, GalleyRule[]>();

  /** Reads a media query. Returns whether Galley has written it. */
  addMedia({ params, nodes = [] }: AtRule): boolean {
    const occasion = Object.hasOwn(MEDIA, params) ? MEDIA[params] : undefined;
    return nodes.every((node) => {
      if (node.type !== 'rule') return false;
      return occasion === undefined
        ? VISIBILITY_RULE.test(node.selector)
        : this.add(node, occasion);
    });
  }

  /** Reads a rule. Returns whether Galley has written it. */
  add(rule: Rule, occasion: Occasion = 'hover'): boolean {
    const { selectors } = rule;
    const declarations = rule.nodes.flatMap((node) =>
      node.type === 'decl' ? [`${node.prop}:${node.value}`] : [],
    );
    if (occasion === 'dark' && selectors[0] === 'body') {
      this.darkBackground = /^background-color:(.*)$/.exec(declarations[0] ?? '')?.[1];
      return true;
    }
    if (!selectors.every((selector) => OF_GALLEY.test(selector))) return false;
    const [, number] = CLASS.exec(selectors[0] ?? '') ?? [];
    if (number === undefined) return true;
    const relative = selectors.map((selector) =>
      selector.replace(CLASS, '').replace(':hover', '').replace(LINK, ' a'),
    );
    const rules = this.byClass.get(number) ?? [];
    this.byClass.set(number, rules);
    rules.push({ occasion, selectors: relative, declarations });
    return true;
  }

  /** Whether a picture with these classes fills phones, as pictures without a width do. */
  fillsPhones(classes = ''): boolean {
    const numbers = classes.split(/\s+/).map((name) => /^galley-(\d+)$/.exec(name)?.[1] ?? '');
    return numbers
      .flatMap((number) => this.byClass.get(number) ?? [])
      .some(({ declarations }) => declarations.includes('width:100%'));
  }

  /**
   * Finds the properties that make Galley write the rules of a class.
   *
   * @param tagName the element that draws the node.
   */
  overridesOf(
    className: string,
    { tagName, attributes, type }: { tagName: string; attributes: Attributes; type: unknown },
  ): Partial<Record<Occasion, Attributes>> {
    const targets = Object.entries(targetsOf({ tagName, attributes }, type));
    const overrides: Partial<Record<Occasion, Attributes>> = {};
    const number = /^galley-(\d+)$/.exec(className)?.[1] ?? '';
    const rules = (this.byClass.get(number) ?? []).slice(0, MAX_RULES_OF_CLASS);
    for (const { occasion, selectors, declarations } of rules) {
      const left = new Set(declarations);
      const values = declarations.map((text) => text.slice(text.indexOf(':') + 1));
      for (const [name, target] of targets) {
        if (target.selectors.join() !== selectors.join()) continue;
        for (const value of name === 'align' ? ALIGNMENTS : values) {
          const css = target.css?.(value) ?? [`${name}:${value}`];
          if (!css.every((declaration) => left.has(declaration))) continue;
          for (const declaration of css) left.delete(declaration);
          // Pictures without a width fill phones, and so do videos, without being told.
          const isAutomatic = AUTOMATIC[tagName]?.includes(`${name}:${value}`) === true;
          if (!isAutomatic) overrides[occasion] = { ...overrides[occasion], [name]: value };
          break;
        }
      }
    }
    return overrides;
  }
}

// Galley writes a few rules for a class.
const MAX_RULES_OF_CLASS = 50;

/** Hides nodes that are only for phones in wide windows. */
const VISIBILITY_RULE =
  /^(?:\[data-ogsc\] )?\.galley-(?:mobile|desktop)-only(?:\.galley-dark-only)?$/;
const AUTOMATIC: Readonly<Record<string, readonly string[]>> = {
  'mj-image': ['width:100%', 'height:50vw'],
};
/** Links of another colour keep it in dark mode. */
const LINK = / a\[style\*="color:[^"]*"\]$/;
/** Outlook sets these attributes where it changes colours. */
const OF_GALLEY = /^(?:\[data-ogs[bc]\] )?\.galley-/;

const VISIBILITY = /^galley-(mobile|desktop)-only$/;

/**
 * Reads the classes that Galley gives to the nodes of its own MJML. A class of another author stays.
 *
 * @param properties the properties of the node, from which the classes of Galley are removed.
 */
export function withClasses(
  rules: GalleyRules,
  node: DocumentNode,
  tagName: string,
  properties: Attributes,
): DocumentNode {
  const { 'css-class': classes } = properties;
  if (classes === undefined) return node;
  const names = [...new Set(classes.split(/\s+/))];
  const others = names.filter((name) => !name.startsWith('galley-'));
  if (others.length > 0) properties['css-class'] = others.join(' ');
  else delete properties['css-class'];
  const result = { ...node };
  const [visibility] = names.flatMap((name) => VISIBILITY.exec(name)?.slice(1) ?? []);
  if (visibility !== undefined) result['visibility'] = visibility;
  const element = { tagName, attributes: properties, type: node['type'] };
  for (const name of names) {
    for (const [occasion, attributes] of Object.entries(rules.overridesOf(name, element))) {
      const own = isObject(result[occasion]) ? result[occasion] : {};
      result[occasion] = { ...own, ...attributes };
    }
  }
  return result;
}

/** Whether an element is the picture for dark mode of the picture before it. */
export const isDarkPicture = (classes = ''): boolean =>
  classes.split(/\s+/).includes('galley-dark-only');
