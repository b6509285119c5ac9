// The MJML 5 packages have no types, and the types on DefinitelyTyped describe a different export.
declare module 'mjml-core' {
  const core: {
    default: (
      tree: object | string,
      options: {
        presets: object[];
        validationLevel: 'skip' | 'strict';
        fonts: Record<string, string>;
      },
    ) => Promise<{ html: string }>;
    /** Creates a class that validates values of a type such as `unit(px,%)`. */
    initializeType: (type: string) => new (value: string) => { isValid: () => boolean };
    /** Adds a suffix to each class, for the elements that only Outlook sees. */
    suffixCssClasses: (classes: string | undefined, suffix: string) => string;
    BodyComponent: typeof BodyComponent;
  };
  export default core;

  /** A component of the body of an email. */
  export class BodyComponent {
    static readonly componentName: string;
    static readonly allowedAttributes: Record<string, string>;
    static readonly defaultAttributes: Record<string, string>;
    static isRawElement(): boolean;
    readonly ['constructor']: typeof BodyComponent;
    readonly context: Record<string, unknown>;
    readonly props: { children: object[] };
    getChildContext(): Record<string, unknown>;
    getAttribute(name: string): string | undefined;
    htmlAttributes(attributes: Record<string, string>): string;
    renderChildren(
      children: object[],
      options: { renderer: (component: BodyComponent) => string },
    ): string;
    render(): string;
  }
}

declare module 'mjml-preset-core' {
  const preset: {
    components: {
      componentName: string;
      allowedAttributes?: Record<string, string>;
      defaultAttributes?: Record<string, unknown>;
      /** Whether MJML copies the content of the element into the HTML without reading the content. */
      endingTag?: boolean;
    }[];
  };
  export default preset;
}
