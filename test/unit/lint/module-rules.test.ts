import { Linter } from 'eslint'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import ts from 'typescript-eslint'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { noImportCycle, uniqueExportedNames } from '../../../resources/lint/module-rules.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lint-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Writes the files and returns the messages for the first one. */
function lint(files: Readonly<Record<string, string>>, cycles: readonly string[] = []): string[] {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const [[name, text] = ['', '']] = Object.entries(files)
  const linter = new Linter({ cwd: folder })
  const messages = linter.verify(
    text,
    [
      {
        files: ['**/*.ts'],
        languageOptions: { parser: ts.parser },
        plugins: { local: { rules: { cycle: noImportCycle, unique: uniqueExportedNames } } },
        rules: { 'local/cycle': ['error', ...cycles], 'local/unique': ['error', ['src']] }
      }
    ],
    join(folder, name)
  )
  return messages.map(({ message }) => message)
}

describe('noImportCycle', () => {
  it('reports a cycle of type imports', () => {
    expect(
      lint({
        'src/a.ts': "import type { B } from './b.ts'\nexport interface A { readonly b: B }\n",
        'src/b.ts': "import type { A } from './a.ts'\nexport interface B { readonly a: A }\n"
      })
    ).toEqual(['Import cycle: src/a.ts → src/b.ts → src/a.ts'])
  })

  it.each([
    ['type ', []],
    ['', ['Import cycle: src/a.ts → src/b.ts → src/a.ts']]
  ])('reports of a cycle of `import %s` what is there at run time, if asked to', (kind, messages) => {
    const files = {
      'src/a.ts': `import ${kind}{\n  B\n} from './b.ts'\nexport class A {}\n`,
      'src/b.ts': "import { A } from './a.ts'\nexport class B {}\n"
    }
    expect(lint(files, ['values'])).toEqual(messages)
  })

  it('reports a cycle through a third module and a re-export', () => {
    expect(
      lint({
        'src/a.ts': "import { b } from './b.ts'\nexport const a = b\n",
        'src/b.ts': "export { c as b } from './c.ts'\n",
        'src/c.ts': "import './a.ts'\nexport const c = 1\n"
      })
    ).toEqual(['Import cycle: src/a.ts → src/b.ts → src/c.ts → src/a.ts'])
  })

  it('accepts a module that is imported dynamically', () => {
    expect(
      lint({
        'src/a.ts': "export const a = () => import('./b.ts')\n",
        'src/b.ts': "import { a } from './a.ts'\nexport const b = a\n"
      })
    ).toEqual([])
  })

  it('does not report a module that only imports a cycle', () => {
    expect(
      lint({
        'src/outside.ts': "import type { A } from './a.ts'\nexport type Outside = A\n",
        'src/a.ts': "import type { B } from './b.ts'\nexport type A = B\n",
        'src/b.ts': "import type { A } from './a.ts'\nexport type B = A\n"
      })
    ).toEqual([])
  })
})

describe('uniqueExportedNames', () => {
  it('reports a name that another file of the folders exports', () => {
    expect(
      lint({
        'src/a.ts': 'export class Queue {}\nclass Own {}\n',
        'src/b.ts': 'export interface Queue { readonly size: number }\nexport const Own = 1\n',
        'elsewhere/c.ts': 'export type Queue = string\n'
      })
    ).toEqual(['src/b.ts exports Queue, too'])
  })
})
