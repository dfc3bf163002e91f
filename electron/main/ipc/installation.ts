/** Handlers of `bridge.about`, `bridge.diagnostics` and `bridge.updates`: this installation of the till. */
import { readFile } from 'node:fs/promises'
import { arch, release, type } from 'node:os'
import * as v from 'valibot'
import type { Handlers } from '../../contract/bridge.ts'
import type { UsedPackage } from '../../contract/diagnostics.ts'
import { mapResult, ok } from '../../contract/failure.ts'
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

/** Returns the handlers of `bridge.about`. */
export const createAboutHandlers = ({
  version,
  versions,
  licences,
  manifest
}: AboutHandlersDependencies): Handlers<'about'> => ({
  async read() {
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
})

/** Returns the handlers of `bridge.diagnostics`. */
export const createDiagnosticsHandlers = (
  diagnostics: Pick<Lazy<DiagnosticsService>, 'get'>,
  askWhereToSave: AskWhereToSave
): Handlers<'diagnostics'> => ({
  read: async () => (await diagnostics.get()).read(),
  async save() {
    const file = await askWhereToSave(`tillpoints diagnostics ${new Date().toISOString().slice(0, 10)}.zip`)
    if (file === null) return ok({ file })
    const opened = await diagnostics.get()
    return mapResult(await opened.saveTo(file), () => ({ file }))
  }
})

/** Returns the handlers of `bridge.updates`. */
export const createUpdatesHandlers = (updates: Updates): Handlers<'updates'> => ({
  check() {
    void updates.check()
    return ok(null)
  },
  install: async ({ serving }) => ok(await updates.install(serving))
})
