// The MJML 5 packages have no types, and the types on DefinitelyTyped describe a different export.
declare module 'mjml-core' {
  const core: {
    default: (
      tree: object | string,
      options: {
        presets: object[];
        validationLevel: 'strict';
        fonts: Record<string, string>;
      },
    ) => Promise<{ html: string }>;
    /** Creates a class that validates values of a type such as `unit(px,%)`. */
    initializeType: (type: string) => new (value: string) => { isValid: () => boolean };
  };
  export default core;
}

declare module 'mjml-preset-core' {
  const preset: {
    components: {
      componentName: string;
      allowedAttributes?: Record<string, string>;
    }[];
  };
  export default preset;
}
