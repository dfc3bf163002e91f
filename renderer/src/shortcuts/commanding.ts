import type { House, Workplace } from '../state/workplace.svelte.ts'
import type { CommandId } from './commands.ts'

/** Does what a command says. */
export type Perform = (id: CommandId) => void

/** Whether a condition holds; if so, does it. */
const stepIf = (holds: boolean, step: () => void): boolean => {
  if (holds) step()
  return holds
}

/** The commands of one workplace. Each is safe to give at any place, and at any time. */
export function createPerform({ places, staff }: House, workplace: Workplace): Perform {
  const { counter, focus, help, reprint } = workplace

  /** Leaves what is open at the counter, innermost first. Gives false when there was nothing to leave. */
  const atTill = (): boolean =>
    stepIf(counter.registration !== null, () => {
      counter.closeRegistration()
    }) ||
    stepIf(counter.find.text !== '', () => {
      counter.find.clear()
      focus.to(counter.customer ? 'figures' : 'search')
    }) ||
    stepIf(counter.customer !== null, () => {
      counter.clearCustomer()
    })

  const back = (): void => {
    if (places.here === 'till' ? atTill() : workplace.elsewhere?.stepBack(places.here)) return
    if (places.here === 'till') focus.to('search')
    else places.go('till')
  }

  const WHAT: Readonly<Record<CommandId, () => void>> = {
    help: () => {
      help.open = !help.open
    },
    find: () => {
      places.go('till')
      if (counter.registration) counter.closeRegistration()
      focus.to('search')
    },
    register: () => {
      places.go('till')
      counter.openRegistration()
    },
    points: () => {
      places.go('till')
      if (counter.registration) counter.closeRegistration()
      counter.find.clear()
      focus.to('figures')
    },
    rewards: () => {
      places.go('rewards')
    },
    slips: () => {
      places.go('slips')
    },
    'check-code': () => {
      places.go('slips')
      if (workplace.elsewhere) workplace.elsewhere.slips.chosen = null
      focus.to('code')
    },
    reprint: () => {
      // Where what comes of it is in sight.
      if (places.here !== 'slips') places.go('till')
      void reprint.print('last')
    },
    lock: () => {
      if (staff.state.lockable) void staff.lock()
    },
    back
  }
  return (id) => {
    WHAT[id]()
  }
}
