import { vitePreprocess } from '@sveltejs/vite-plugin-svelte'

export default {
  preprocess: vitePreprocess(),
  compilerOptions: {
    runes: true,
    // Reports every warning: the build, the linter and svelte-check fail on one.
    warningFilter: () => true
  }
}
