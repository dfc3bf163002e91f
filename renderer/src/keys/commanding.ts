import type { House, Workplace } from '../state/workplace.svelte.ts'
import type { CommandId } from './commands.ts'

/** Does what a command says. */
export type Perform = (id: CommandId) => void

/** Leaves what is open at a place, innermost first. Gives false when there was nothing to leave. */
type StepBack = () => boolean

/** Whether a condition holds; if so, does it. */
const stepIf = (holds: boolean, step: () => void): boolean => {
  if (holds) step()
  return holds
}

/** The commands of one workplace. Each is safe to give at any place, and at any time. */
export function createPerform({ places, staff }: House, workplace: Workplace): Perform {
  const { counter, focus, help, slips, batches, customers, reprint } = workplace

  const atTill: StepBack = () =>
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

  const atSlips: StepBack = () =>
    stepIf(batches.form !== null || batches.open !== null, () => {
      batches.close()
    }) ||
    stepIf(slips.chosen !== null, () => {
      slips.chosen = null
    })

  const atCustomers: StepBack = () =>
    stepIf(customers.find.text !== '', () => {
      customers.find.clear()
    }) ||
    stepIf(customers.chosen !== null, () => {
      customers.chosen = null
    })

  const STEPS: Readonly<Record<typeof places.here, StepBack>> = {
    till: atTill,
    slips: atSlips,
    customers: atCustomers,
    rewards: () => false,
    settings: () => false
  }

  const back = (): void => {
    if (STEPS[places.here]()) return
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
      slips.chosen = null
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
