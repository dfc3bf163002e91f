/** What the till answers its page: each group of the bridge's calls, from the services that know. */
import { app } from 'electron'
import { ok } from '../../contract/failure.ts'
import { LANGUAGE_NAMES } from '../../contract/language.ts'
import {
  aboutAnswers,
  batchesAnswers,
  connectionAnswers,
  createCheckCode,
  createDrafts,
  customerDisplayAnswers,
  customersAnswers,
  diagnosticsAnswers,
  printersAnswers,
  rewardsAnswers,
  slipsAnswers,
  staffAnswers,
  tillAnswers,
  updatesAnswers
} from '../ipc/index.ts'
import type { Logger } from '../log/log.ts'
import { sendPartialSearchResult, registerIpcHandlers } from '../platform/ipc.ts'
import type { AppPaths } from '../platform/paths.ts'
import { askWhereToSave } from '../platform/save-dialog.ts'
import { handleAppProtocol } from '../platform/app-protocol.ts'
import { fontsAtFirst, wordsAtFirst } from '../platform/first-files.ts'
import { requiredRole } from '../staff/permissions.ts'
import type { Display } from './customer-display.ts'
import type { Help } from './diagnostics-and-updates.ts'
import type { Memory } from './persistence.ts'
import type { Service } from './session.ts'
import type { Issuing } from './slips.ts'
import type { Standing } from './standing.ts'

/** All that answers. */
export interface AnswersParts extends Standing {
  readonly where: AppPaths
  readonly memory: Memory
  readonly service: Service
  readonly issuing: Issuing
  readonly help: Help
  readonly display: Display
  /** called when the page stands, and whenever one stands again */
  readonly drawn: () => void
  readonly now: () => Date
  readonly log: Logger
}

/** Wires the bridge and serves the page. Call once, before a window opens. */
export function answerPage(parts: AnswersParts): void {
  const { where, memory, service, issuing, help, display, standing, forPage, drawn, now, log } = parts
  const { settings, staff } = memory
  const { session, catalogue, recent, country } = service
  const { slips, printing, pdfWorker, slipLocale } = issuing
  const checkCode = createCheckCode(session, async (code) => (await slips.use()).byCode(code))
  const drafts = createDrafts(() => `${session.mode} ${settings.values.baseUrl ?? ''}`)
  registerIpcHandlers(
    {
      till: tillAnswers(standing, settings, session, drafts, drawn),
      connection: connectionAnswers(standing, session, service.connectionStore, forPage),
      customers: customersAnswers(session, country, checkCode, forPage, { recent, sendPartialSearchResult }),
      rewards: rewardsAnswers(session, catalogue),
      slips: slipsAnswers(slips.use, session, checkCode, askWhereToSave, now, (id) => recent.serve(id)),
      batches: batchesAnswers(slips.use, session),
      printers: printersAnswers(printing.use, slips.use, pdfWorker, slipLocale, now),
      diagnostics: diagnosticsAnswers(help.diagnostics.use, help.saveDiagnostics),
      updates: updatesAnswers(help.updates),
      customerDisplay: customerDisplayAnswers(display.shows, display.window, slips.use),
      staff: staffAnswers(standing, staff, {
        baseUrl: () => settings.values.baseUrl,
        business: async () => {
          const { business } = settings.values
          return business ? ok(business) : session.refresh()
        },
        ownerOf: (credentials) => service.connect(credentials).account()
      }),
      about: aboutAnswers({
        version: app.getVersion(),
        versions: process.versions,
        licences: where.licences,
        manifest: where.manifest
      })
    },
    (group, call, input) => staff.refusal(requiredRole(group, call, input)),
    log
  )
  handleAppProtocol(
    where.page,
    () => {
      const spoken = [memory.language(), memory.slipLanguage()] as const
      const { name, address } = session.business ?? { name: '', address: {} }
      const words = [...spoken.map((language) => LANGUAGE_NAMES[language]), name, ...Object.values(address)]
      return [...wordsAtFirst(...spoken), ...fontsAtFirst(words)]
    },
    (key) => service.images.read(key)
  )
}
