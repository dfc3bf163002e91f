import { vitePreprocess } from '@sveltejs/vite-plugin-svelte'
import { staticIcons } from './resources/packaging/static-icons.ts'

export default {
  preprocess: [staticIcons(), vitePreprocess()],
  compilerOptions: {
    runes: true,
    // A warning is a fault here: the build, the linter and svelte-check all stop on one.
    warningFilter: () => true
  }
}
