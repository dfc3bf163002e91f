/**
 * Packs a deb with dpkg-deb, from the options that electron-builder passes to fpm. electron-builder downloads fpm from
 * github.com; this program takes its place where that cannot be reached (`debian-tools.ts`).
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import * as v from 'valibot'

/** The names that fpm and dpkg-deb use for a compression. */
const COMPRESSIONS = { gz: 'gzip', xz: 'xz' }

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

/** Returns the paths of all regular files below a folder, relative to it. */
const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()

/** Returns the entry of a field in the control file. Lines after the first are indented, and empty ones are a dot. */
const field = (name: string, value: string): string => {
  const [first = '', ...rest] = value.split('\n').map((line) => line.trim())
  return [`${name}: ${first}`, ...rest.map((line) => ` ${line === '' ? '.' : line}`)].join('\n')
}

const changelog = (): string =>
  [
    `${options.name} (${options.version}) stable; urgency=medium`,
    '',
    '  * See the release notes.',
    '',
    ` -- ${options.maintainer}  ${new Date().toUTCString().replace('GMT', '+0000')}`,
    ''
  ].join('\n')

const root = mkdtempSync(join(tmpdir(), 'tillpoints-deb-'))
try {
  for (const mapping of positionals) copy(mapping, root)
  const documents = join(root, 'usr/share/doc', options.name)
  mkdirSync(documents, { recursive: true })
  writeFileSync(join(documents, 'changelog.gz'), gzipSync(changelog(), { level: 9 }))
  execFileSync('chmod', ['--recursive', 'u=rwX,go=rX', root])

  const files = filesBelow(root)
  const bytes = files.reduce((sum, file) => sum + statSync(join(root, file)).size, 0)
  const control = join(root, 'DEBIAN')
  mkdirSync(control, { mode: 0o755 })
  const fields = {
    Package: options.name,
    Version: options.version,
    License: options.license,
    Vendor: options.vendor,
    Architecture: options.architecture,
    Maintainer: options.maintainer,
    'Installed-Size': String(Math.ceil(bytes / 1024)),
    Depends: options.depends.join(', '),
    Recommends: options['deb-recommends'].join(', '),
    Section: options.category,
    Priority: options['deb-priority'],
    Homepage: options.url,
    Description: options.description
  }
  writeFileSync(
    join(control, 'control'),
    Object.entries(fields)
      .map(([name, value]) => `${field(name, value)}\n`)
      .join('')
  )
  const md5 = (file: string): string =>
    createHash('md5')
      .update(readFileSync(join(root, file)))
      .digest('hex')
  writeFileSync(join(control, 'md5sums'), files.map((file) => `${md5(file)}  ${file}\n`).join(''))
  for (const [script, name] of [
    [options['after-install'], 'postinst'],
    [options['after-remove'], 'postrm']
  ] as const) {
    copyFileSync(script, join(control, name))
    chmodSync(join(control, name), 0o755)
  }
  const compression = COMPRESSIONS[options['deb-compression']]
  execFileSync('dpkg-deb', ['--root-owner-group', `-Z${compression}`, '--build', root, options.package])
} finally {
  rmSync(root, { recursive: true })
}
