// The packages of MJML 5 have no types, and those of DefinitelyTyped describe another export.
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
    /** Makes a class that checks values of a type such as `unit(px,%)`. */
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
