/** Handlers of `bridge.about`, `bridge.diagnostics` and `bridge.updates`: this installation of the till. */
import { readFile } from 'node:fs/promises'
import { arch, release, type } from 'node:os'
import * as v from 'valibot'
import type { Api } from '../../contract/bridge.ts'
import type { AboutTill, Diagnostics, UsedPackage } from '../../contract/diagnostics.ts'
import { mapResult, ok, type Result } from '../../contract/failure.ts'
import type { InstallResult } from '../../contract/updates.ts'
import type { DiagnosticsService } from '../diagnostics/diagnostics.ts'
import type { Lazy } from '../lazy.ts'
import type { Updates } from '../updates/updates.ts'
import type { AskWhereToSave } from './slips.ts'

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

export class AboutHandlers implements Api<'about'> {
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

export class DiagnosticsHandlers implements Api<'diagnostics'> {
  readonly #diagnostics: Pick<Lazy<DiagnosticsService>, 'get'>
  readonly #askWhereToSave: AskWhereToSave
  readonly #now: () => Date

  constructor(
    diagnostics: Pick<Lazy<DiagnosticsService>, 'get'>,
    askWhereToSave: AskWhereToSave,
    now: () => Date
  ) {
    this.#diagnostics = diagnostics
    this.#askWhereToSave = askWhereToSave
    this.#now = now
  }

  async read(): Promise<Result<Diagnostics>> {
    const diagnostics = await this.#diagnostics.get()
    return diagnostics.read()
  }

  async save(): Promise<Result<{ readonly file: string | null }>> {
    const day = this.#now().toISOString().slice(0, 10)
    const file = await this.#askWhereToSave(`tillpoints diagnostics ${day}.zip`)
    if (file === null) return ok({ file })
    const diagnostics = await this.#diagnostics.get()
    return mapResult(await diagnostics.saveTo(file), () => ({ file }))
  }
}

export class UpdatesHandlers implements Api<'updates'> {
  readonly #updates: Updates

  constructor(updates: Updates) {
    this.#updates = updates
  }

  check(): Promise<Result<null>> {
    void this.#updates.check()
    return Promise.resolve(ok(null))
  }

  async install({ serving }: { serving: boolean }): Promise<Result<InstallResult>> {
    return ok(await this.#updates.install(serving))
  }
}
