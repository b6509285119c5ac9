import eslint from '@eslint/js';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  {
    ignores: ['dist', '.data', 'libs/client/generated', 'libs/client/dist'],
  },
  eslint.configs.recommended,
  tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      // Nest modules are empty classes that carry a decorator.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'separate-type-imports' },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      // Nest types its options as classes and expects object literals.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      'object-shorthand': 'error',
      'no-restricted-syntax': [
        'error',
        {
          selector: 'SpreadElement > :matches(ObjectExpression, ArrayExpression)',
          message: 'Write the properties or elements of a literal in place.',
        },
      ],
      'no-console': 'error',
      'max-lines': ['error', 300],
    },
  },
  {
    files: ['test/**', '**/*.spec.ts'],
    rules: { 'max-lines': ['error', 400] },
  },
  { files: ['apps/settings/**'], extends: [reactHooks.configs.flat['recommended-latest']] },
  {
    // The only way to set passport-jwt's clock tolerance is an option that it deprecates for other uses.
    files: ['apps/api/auth/token-verifier.ts'],
    rules: { '@typescript-eslint/no-deprecated': 'off' },
  },
  {
    files: ['**/*.js', '**/*.cjs'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: { globals: { module: 'writable', process: 'readonly', URL: 'readonly' } },
  },
);
