import { defineConfig } from 'vite';

// `npm run dev:settings` starts the development server of Vite, which proxies API requests to this Galley server.
const galleyUrl = process.env['GALLEY_URL'] ?? 'http://127.0.0.1:3000';

export default defineConfig({
  root: import.meta.dirname,
  base: '/settings/',
  resolve: { conditions: ['source', 'module', 'browser', 'development|production'] },
  server: { proxy: { '/api': galleyUrl, '/settings/config.json': galleyUrl } },
  build: {
    outDir: '../../dist/apps/settings',
    emptyOutDir: true,
    // Assets are never inlined, because the Content-Security-Policy allows data: URLs only for images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2024',
    // These browsers support light-dark(). For older browsers, Vite would replace light-dark() with code that
    // does not follow Mantine's colour scheme.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // Silences the warning about large chunks, because a test in `test/browser` limits the JavaScript of the first
    // view.
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: {
      output: {
        // Modules that many views share compress better in one file than in dozens of small files.
        codeSplitting: { groups: [{ name: 'shared', test: /node_modules/, minShareCount: 10 }] },
      },
      // Some libraries contain directives for React Server Components. This page does not use server components, so the
      // warnings about the directives do not matter.
      onwarn: (warning, warn) => {
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
      },
    },
  },
});
