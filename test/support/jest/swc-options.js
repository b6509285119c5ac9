/** The options of tsconfig.json that change what TypeScript writes. */
export default {
  module: { type: 'es6' },
  sourceMaps: 'inline',
  jsc: {
    target: 'es2024',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
  },
};
