import { strict } from '../strict.ts'
import { recorder } from './recorder.ts'

/** Electron's `crashReporter`, recorded. */
export const crashReporter = strict('crashReporter', {
  start: (options: object): void => recorder.record('crashReporter.start', { options }),
  getLastCrashReport: (): null => null,
  getUploadedReports: (): object[] => [],
  getUploadToServer: (): boolean => false
})
