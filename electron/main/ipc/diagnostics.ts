/** What the till tells of itself. */
import { readFile } from 'node:fs/promises'
import { arch, release, type } from 'node:os'
import * as v from 'valibot'
import type { UsedPackage } from '../../contract/diagnostics.ts'
import { ok, type Result, mapResult } from '../../contract/failure.ts'
import type { DiagnosticsService } from '../diagnostics/diagnostics.ts'
import type { Use } from '../lazy.ts'
import type { Answers } from '../platform/ipc.ts'
import type { Updates } from '../updates/updates.ts'
import type { AskWhere } from './slips.ts'

/** Asks where to write them, and writes them there; `file` is null when the dialog was closed. */
type SaveDiagnostics = () => Promise<Result<{ readonly file: string | null }>>

/** Makes the saving, for the page and for what catches an error that nobody else did. */
export const createSaveDiagnostics =
  (desk: Use<DiagnosticsService>, askWhere: AskWhere, now: () => Date): SaveDiagnostics =>
  async () => {
    const file = await askWhere(`tillpoints diagnostics ${now().toISOString().slice(0, 10)}.zip`)
    return file === null ? ok({ file }) : mapResult(await (await desk()).saveTo(file), () => ({ file }))
  }

/** Answers the calls of `bridge.diagnostics`. */
export const diagnosticsAnswers = (
  desk: Use<DiagnosticsService>,
  save: SaveDiagnostics
): Answers['diagnostics'] => ({
  read: async () => (await desk()).read(),
  save
})

/* from about.ts: What this till is made of. */

interface AboutSources {
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

/* from updates.ts: Updates of the till itself. */

/** Answers the calls of `bridge.updates`. */
export const updatesAnswers = (updates: Updates): Answers['updates'] => ({
  check() {
    void updates.check()
    return Promise.resolve(ok(null))
  },
  async install({ serving }) {
    return ok(await updates.install(serving))
  }
})
