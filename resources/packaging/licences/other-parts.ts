/** Parts of the till that are no npm packages, or that lie inside one under a licence of their own. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { textOf, type Part } from './licence.ts'

/** Inside packages: what was compiled, or carried over, into them. */
const inside = (project: string): Part[] => [
  {
    name: 'PDFium (in @hyzyla/pdfium)',
    version: null,
    licence: 'BSD-3-Clause',
    text: textOf(project, 'pdfium.txt')
  },
  {
    name: 'HarfBuzz (in harfbuzzjs)',
    version: null,
    licence: 'MIT-Modern-Variant',
    text: textOf(project, 'harfbuzz.txt')
  },
  {
    name: 'Brotli decoder (in brotli)',
    version: null,
    licence: 'Apache-2.0',
    text: textOf(project, 'brotli.txt')
  },
  {
    name: 'SumatraPDF (in pdf-to-printer, on Windows only)',
    version: '3.4.6',
    licence: 'GPL-3.0-only',
    text: textOf(project, 'sumatrapdf.txt')
  }
]

/** The fonts of the slips: one part for each licence file in `folder`, named after its family. */
const fonts = (folder: string): Part[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('-LICENSE.txt'))
    .sort()
    .map((file) => ({
      name: `${file.replace('-LICENSE.txt', '')} (font)`,
      version: null,
      licence: 'OFL-1.1',
      text: readFileSync(join(folder, file), 'utf8').trim()
    }))

/** @param project the project's folder */
export const otherParts = (project: string): Part[] => [
  ...inside(project),
  ...fonts(join(project, 'resources/fonts'))
]
