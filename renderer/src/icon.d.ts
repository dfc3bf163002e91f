/** What every icon of `@lucide/svelte/icons/` is, once `resources/packaging/static-icons.ts` has made a template of it. */
import type { Component } from 'svelte'

/** `size`: width and height in pixels, 24 unless given. */
declare const Icon: Component<{ size?: number }>
export default Icon
