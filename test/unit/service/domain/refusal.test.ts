import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const SERVICE = join(import.meta.dirname, '../../../../electron/service')

it.each(['domain', 'store', 'api', 'html', 'pages', 'manage'])(
  'names no command in a message of %s',
  (folder) => {
    const sources = globSync(`${folder}/**/*.ts`, { cwd: SERVICE })
    expect(sources.length).toBeGreaterThan(0)
    const hints = sources.filter((file) =>
      /[`'][^`'\n]*\(see [a-z]+/.test(readFileSync(join(SERVICE, file), 'utf8'))
    )
    expect(hints).toEqual([])
  }
)
