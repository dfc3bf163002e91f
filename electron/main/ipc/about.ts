/** What this till is made of. */
import { readFile } from 'node:fs/promises'
import { arch, release, type } from 'node:os'
import * as v from 'valibot'
import type { UsedPackage } from '../../contract/about.ts'
import { ok } from '../../contract/failure.ts'
import type { Answers } from '../platform/ipc.ts'

export interface AboutSources {
  readonly version: string
  /** `process.versions` */
  readonly versions: Readonly<Record<string, string | undefined>>
  /** full path of the licences of others */
  readonly licences: string
  /** full path of the till's own package.json */
  readonly manifest: string
}

const versions = v.optional(v.record(v.string(), v.string()), {})
const manifestSchema = v.object({ dependencies: versions, devDependencies: versions })

const textIn = async (file: string): Promise<string | null> => readFile(file, 'utf8').catch(() => null)

/** The packages that a manifest names, by name; none where it cannot be read. */
async function packagesIn(manifest: string): Promise<UsedPackage[]> {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), manifestSchema), await textIn(manifest))
  if (!parsed.success) return []
  return Object.entries({ ...parsed.output.dependencies, ...parsed.output.devDependencies })
    .map(([name, version]) => ({ name, version }))
    .sort((one, other) => one.name.localeCompare(other.name, 'en'))
}

/** Answers the calls of `bridge.about`. */
export function aboutAnswers(sources: AboutSources): Answers['about'] {
  return {
    async read() {
      const licences = await textIn(sources.licences)
      const { electron = '', chrome = '', node = '' } = sources.versions
      return ok({
        version: sources.version,
        electron,
        chromium: chrome,
        node,
        system: `${type()} ${release()} ${arch()}`,
        licences,
        packages: licences === null ? await packagesIn(sources.manifest) : []
      })
    }
  }
}
