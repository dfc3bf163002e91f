/** Handler of `bridge.about`: the versions and licences of this installation. */
import { readFile } from 'node:fs/promises'
import { arch, release, type } from 'node:os'
import * as v from 'valibot'
import type { AboutApi } from '../../contract/bridge.ts'
import type { AboutTill, UsedPackage } from '../../contract/diagnostics.ts'
import { ok, type Result } from '../../contract/failure.ts'

export interface AboutHandlersDependencies {
  readonly version: string
  /** `process.versions` */
  readonly versions: Readonly<Record<string, string | undefined>>
  /** full path of the third-party licences */
  readonly licences: string
  /** full path of the till's package.json */
  readonly manifest: string
}

const packageVersions = v.optional(v.record(v.string(), v.string()), {})
const manifestSchema = v.object({ dependencies: packageVersions, devDependencies: packageVersions })

const textIn = async (file: string): Promise<string | null> => readFile(file, 'utf8').catch(() => null)

/** Returns the packages of a manifest, by name; none if it cannot be read. */
async function packagesIn(manifest: string): Promise<UsedPackage[]> {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), manifestSchema), await textIn(manifest))
  if (!parsed.success) return []
  return Object.entries({ ...parsed.output.dependencies, ...parsed.output.devDependencies })
    .map(([name, version]) => ({ name, version }))
    .sort((one, other) => one.name.localeCompare(other.name, 'en'))
}

export class AboutHandlers implements AboutApi {
  readonly #dependencies: AboutHandlersDependencies

  constructor(dependencies: AboutHandlersDependencies) {
    this.#dependencies = dependencies
  }

  async read(): Promise<Result<AboutTill>> {
    const { version, versions, licences, manifest } = this.#dependencies
    const licencesText = await textIn(licences)
    const { electron = '', chrome = '', node = '' } = versions
    return ok({
      version,
      electron,
      chromium: chrome,
      node,
      system: `${type()} ${release()} ${arch()}`,
      licences: licencesText,
      packages: licencesText === null ? await packagesIn(manifest) : []
    })
  }
}
