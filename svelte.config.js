import { vitePreprocess } from '@sveltejs/vite-plugin-svelte'

export default {
  preprocess: vitePreprocess(),
  compilerOptions: {
    runes: true,
    // A warning is a fault here: the build, the linter and svelte-check all stop on one.
    warningFilter: () => true
  }
}
