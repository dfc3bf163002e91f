import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { preprocess } from 'svelte/compiler'
import { expect, test } from 'vitest'
import { staticIcons } from '../../../resources/packaging/static-icons.ts'
import { PROJECT } from '../../../resources/scripts/tools.ts'

const ICONS = join(PROJECT, 'node_modules/@lucide/svelte/dist/icons')
const iconWith = (data: string): string => `<script>\nconst iconData = ${data};\n</script>`
const made = async (source: string, filename: string): Promise<string> =>
  (await preprocess(source, staticIcons(), { filename })).code

test('an icon becomes its own template, of the size that is asked for', async () => {
  const filename = join(ICONS, 'chevron-left.svelte')
  const code = await made(readFileSync(filename, 'utf8'), filename)
  expect(code).toContain('<path d="m15 18-6-6 6-6" />')
  expect(code).toContain('width={size}')
  expect(code).not.toContain('import')
})

test('every icon of the package can be drawn so', async () => {
  const names = readdirSync(ICONS).filter((name) => name.endsWith('.svelte'))
  expect(names.length).toBeGreaterThan(1000)
  for (const name of names) {
    const source = readFileSync(join(ICONS, name), 'utf8')
    const shapes = source.match(/\["[a-z]+", \{/gu)?.length
    const code = await made(source, join(ICONS, name))
    expect([name, code.match(/<(?!svg|\/|script)[a-z]+ /gu)?.length]).toEqual([name, shapes])
  }
})

test.each([
  ['no shapes', '{ "name": "x" }', 'no icon of the known kind'],
  ['what is not plain', '{ "node": [["path", { "d": "\\"><script>" }]] }', 'not plain']
])('a build with %s in an icon fails', async (_, data, says) => {
  await expect(made(iconWith(data), join(ICONS, 'x.svelte'))).rejects.toThrow(says)
})

test('a component of another kind stays as it is', async () => {
  const source = '<p>text</p>'
  expect(await made(source, '/till/renderer/src/App.svelte')).toBe(source)
})
