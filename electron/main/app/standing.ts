/** How the till stands, put together from what it remembers, whom it asks and what is under way. */
import { app, nativeTheme } from 'electron'
import type { TillState } from '../../contract/till.ts'
import { createChangeLog, createToRenderer, createStanding } from '../ipc/index.ts'
import type { Customer } from '../../contract/loyalty.ts'
import type { UpdateState } from '../../contract/updates.ts'
import type { Logger } from '../log/log.ts'
import { sendState } from '../platform/ipc.ts'
import type { AppPaths } from '../platform/paths.ts'
import type { Memory } from './persistence.ts'
import type { Service } from './session.ts'

/** What the state is put together from, beside memory and service. */
export interface StandingParts {
  readonly where: AppPaths
  readonly memory: Memory
  readonly service: Service
  readonly update: () => UpdateState
  readonly customerDisplayOpen: () => boolean
  /** told of each customer on the way to the page */
  readonly saw: (customer: Customer) => void
  /** told of each new state, beside the page */
  readonly tell: (state: TillState) => void
  readonly log: Logger
}

/** Makes the telling of the state. */
export function prepareStanding({ where, memory, service, log, ...rest }: StandingParts) {
  const { settings, staff, language, slipLanguage } = memory
  const { session, images, country } = service
  const forPage = createToRenderer(images, country, rest.saw)
  const logChange = createChangeLog(log)
  const standing = createStanding({
    settings,
    session,
    forPage: forPage.account,
    staff: () => staff.state,
    language,
    slipLanguage,
    country,
    customerDisplayOpen: rest.customerDisplayOpen,
    slipsFolder: where.slips,
    version: app.getVersion(),
    update: rest.update,
    tell: (state) => {
      nativeTheme.themeSource = state.settings.theme
      logChange(state)
      sendState(state)
      rest.tell(state)
    }
  })
  nativeTheme.themeSource = settings.values.theme
  return { standing, forPage }
}

/** How the till stands, and what the page is sent of customers and businesses. */
export type Standing = ReturnType<typeof prepareStanding>
