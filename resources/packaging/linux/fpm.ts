/**
 * Packs a deb with dpkg-deb, from the options that electron-builder passes to fpm. electron-builder downloads fpm from
 * github.com; this program takes its place where that cannot be reached (`debian-tools.ts`).
 */
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import * as v from 'valibot'
import { packDeb } from './deb.ts'

/** The names that fpm and dpkg-deb use for a compression. */
const COMPRESSIONS = { gz: 'gzip', xz: 'xz' } as const

const optionsSchema = v.object({
  'output-type': v.literal('deb'),
  name: v.string(),
  version: v.string(),
  architecture: v.string(),
  maintainer: v.string(),
  vendor: v.string(),
  url: v.string(),
  category: v.string(),
  license: v.string(),
  description: v.string(),
  depends: v.array(v.string()),
  'deb-recommends': v.array(v.string()),
  'deb-priority': v.string(),
  'deb-compression': v.picklist(['gz', 'xz']),
  'after-install': v.string(),
  'after-remove': v.string(),
  package: v.string()
})

const text = { type: 'string' } as const
const texts = { type: 'string', multiple: true } as const

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'input-type': { ...text, short: 's' },
    'output-type': { ...text, short: 't' },
    force: { type: 'boolean' },
    debug: { type: 'boolean' },
    log: text,
    name: text,
    version: text,
    architecture: text,
    maintainer: text,
    vendor: text,
    url: text,
    category: text,
    license: text,
    description: text,
    depends: { ...texts, short: 'd' },
    'deb-recommends': texts,
    'deb-priority': text,
    'deb-compression': text,
    'after-install': text,
    'after-remove': text,
    package: text
  }
})
const options = v.parse(optionsSchema, values)

/** Copies `SOURCE=TARGET`: a file, or the content of a folder whose name ends with a slash. */
function copy(mapping: string, root: string): void {
  const [source = '', target = ''] = mapping.split('=')
  const copied = join(root, target)
  mkdirSync(dirname(copied), { recursive: true })
  if (source.endsWith('/')) cpSync(source, copied, { recursive: true, verbatimSymlinks: true })
  else copyFileSync(source, copied)
}

const root = mkdtempSync(join(tmpdir(), 'tillpoints-deb-'))
try {
  for (const mapping of positionals) copy(mapping, root)
  packDeb(root, {
    fields: {
      Package: options.name,
      Version: options.version,
      License: options.license,
      Vendor: options.vendor,
      Architecture: options.architecture,
      Maintainer: options.maintainer,
      Depends: options.depends.join(', '),
      Recommends: options['deb-recommends'].join(', '),
      Section: options.category,
      Priority: options['deb-priority'],
      Homepage: options.url,
      Description: options.description
    },
    scripts: { postinst: options['after-install'], postrm: options['after-remove'] },
    compression: COMPRESSIONS[options['deb-compression']],
    output: options.package
  })
} finally {
  rmSync(root, { recursive: true })
}
