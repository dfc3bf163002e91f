/**
 * Lucide's components make an icon when it is drawn: of an array, an element at a time, each with its attributes spread.
 * A till's first screen has fourteen of them, a list one or two a row. Each becomes a template of its own here, which
 * Svelte clones in one step. They keep one property, `size` in pixels; `renderer/src/icon.d.ts` says so to the compiler.
 */
import type { PreprocessorGroup } from 'svelte/compiler'

const ICON = /\/@lucide\/svelte\/dist\/icons\/[\w-]+\.svelte$/u
const DATA = /^const iconData = (?<data>\{.*\});$/mu

/** A shape of an icon as Lucide's packages write it: its element and its attributes. */
type Shape = readonly [element: string, attributes: Readonly<Record<string, string | number>>]

const isShape = (value: unknown): value is Shape =>
  Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'object' && value[1] !== null

/** The shapes that a component of Lucide's draws. Throws where it is written in another way than expected. */
function shapesOf(source: string, filename: string): readonly Shape[] {
  const data: unknown = JSON.parse(DATA.exec(source)?.groups?.['data'] ?? 'null')
  const shapes: unknown = data && typeof data === 'object' && 'node' in data ? data.node : null
  if (!Array.isArray(shapes) || !shapes.every(isShape))
    throw new Error(`${filename} is no icon of the known kind`)
  return shapes
}

/** Numbers, letters, spaces and signs of a path: nothing that would have to be escaped in an attribute. */
const PLAIN = /^[\w\s.,#%()+-]*$/u

function markupOf([element, attributes]: Shape, filename: string): string {
  const written = Object.entries(attributes).map(([name, value]) => {
    if (!PLAIN.test(String(value)))
      throw new Error(`${filename} has an attribute that is not plain: ${String(value)}`)
    return ` ${name}="${String(value)}"`
  })
  return `<${element}${written.join('')} />`
}

/** A preprocessor that gives each of Lucide's icons a template. */
export const staticIcons = (): PreprocessorGroup => ({
  name: 'static-icons',
  markup: ({ content, filename = '' }) => {
    if (!ICON.test(filename)) return undefined
    const shapes = shapesOf(content, filename).map((shape) => markupOf(shape, filename))
    return {
      code: `<script>
  const { size = 24 } = $props()
</script>

<svg
  class="lucide-icon"
  width={size}
  height={size}
  viewBox="0 0 24 24"
  fill="none"
  stroke="currentColor"
  stroke-linecap="round"
  stroke-linejoin="round"
  aria-hidden="true"
>${shapes.join('')}</svg>
`
    }
  }
})
