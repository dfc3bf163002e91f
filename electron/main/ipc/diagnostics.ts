/** What the till tells of itself. */
import { ok, type Result } from '../../contract/failure.ts'
import type { DiagnosticsDesk } from '../diagnostics/index.ts'
import type { Use } from '../lazy.ts'
import type { Answers } from '../platform/ipc.ts'
import { mapped } from './mapped.ts'
import type { AskWhere } from './slips.ts'

/** Asks where to write them, and writes them there; `file` is null when the dialog was closed. */
export type SaveDiagnostics = () => Promise<Result<{ readonly file: string | null }>>

/** Makes the saving, for the page and for what catches an error that nobody else did. */
export const createSaveDiagnostics =
  (desk: Use<DiagnosticsDesk>, askWhere: AskWhere, now: () => Date): SaveDiagnostics =>
  async () => {
    const file = await askWhere(`tillpoints diagnostics ${now().toISOString().slice(0, 10)}.zip`)
    return file === null ? ok({ file }) : mapped(await (await desk()).saveTo(file), () => ({ file }))
  }

/** Answers the calls of `bridge.diagnostics`. */
export const diagnosticsAnswers = (
  desk: Use<DiagnosticsDesk>,
  save: SaveDiagnostics
): Answers['diagnostics'] => ({
  read: async () => (await desk()).read(),
  save
})
