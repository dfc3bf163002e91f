/**
 * Collects the licences of all that others wrote into one text, which every installation carries. It is made from what
 * the builds really took, so nobody keeps a list by hand; a package without a licence text, or under a licence that is
 * not allowed, fails the build.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { licenceOf, type Part } from './licence.ts'
import { otherParts } from './other-parts.ts'
import { dependencyFolders, packageFolderOf } from './packages.ts'

const RULE = '='.repeat(80)

const title = ({ name, version, licence }: Part): string =>
  `${name}${version === null ? '' : ` ${version}`}: ${licence}`

/** The text for a person: what is in the till, then each licence under its part's name. */
export function thirdPartyText(parts: readonly Part[]): string {
  const sorted = parts.toSorted((one, other) => one.name.localeCompare(other.name, 'en'))
  return [
    'Tillpoints contains the following software and fonts of others. Electron and Chromium, which it runs on, have',
    'their licences in LICENSE.electron.txt and LICENSES.chromium.html beside the program.',
    '',
    ...sorted.map((part) => `- ${title(part)}`),
    ...sorted.flatMap((part) => ['', RULE, title(part), RULE, '', part.text]),
    ''
  ].join('\n')
}

/** The licences of packages by title. @throws one error that names everything that is wrong with them */
function packageParts(folders: Iterable<string>, project: string): Part[] {
  const parts = new Map<string, Part>()
  const wrong: string[] = []
  for (const folder of folders) {
    try {
      const part = licenceOf(folder, project)
      parts.set(title(part), part)
    } catch (error) {
      wrong.push(error instanceof Error ? error.message : String(error))
    }
  }
  if (wrong.length > 0) throw new Error(`Licences:\n${wrong.join('\n')}`)
  return [...parts.values()]
}

/**
 * A plugin for each of the till's builds. All of them add to one collection, and each writes the text with what there
 * is so far: it is complete once the last build has written.
 * @param project the project's folder
 * @param output where `THIRD-PARTY-LICENCES.txt` goes, and `third-party.json`, the same list without texts for the SBOM
 */
export function collectLicences(project: string, output: string): () => Plugin {
  const folders = dependencyFolders(project)
  return () => ({
    name: 'third-party-licences',
    apply: 'build',
    generateBundle() {
      for (const id of this.getModuleIds()) {
        const folder = packageFolderOf(id)
        if (folder !== undefined) folders.add(folder)
      }
      const parts = [...packageParts(folders, project), ...otherParts(project)]
      mkdirSync(output, { recursive: true })
      writeFileSync(join(output, 'THIRD-PARTY-LICENCES.txt'), thirdPartyText(parts))
      const list = parts.map(({ name, version, licence }) => ({ name, version, licence }))
      writeFileSync(join(output, 'third-party.json'), JSON.stringify(list, null, 2))
    }
  })
}
