/** What the window shows elsewhere than at the counter, or seldom: fetched before the first paint only where it is drawn in it. */
import type { TillState } from '../../../electron/contract/till.ts'
import { onlyWhenWanted, whenWanted, type Fetched } from '../wanted/when-wanted.svelte.ts'
import { drawnFirstAtCounter } from './till/later.ts'

export const FAILURE_ALERT = whenWanted(() => import('../components/FailureAlert.svelte'))
export const LOCK_SCREEN = whenWanted(() => import('./staff/LockScreen.svelte'))
/** where the till can be locked */
export const PEOPLE = whenWanted(() => import('../components/StaffMenu.svelte'), 'first')
export const NOTICES = whenWanted(() => import('../components/NoticeList.svelte'))
export const UPDATE_WAITS = whenWanted(() => import('../components/UpdateBanner.svelte'))
export const LEFT_BEHIND = whenWanted(() => import('../components/UnfinishedBatchBanner.svelte'))
export const FIRST_START = onlyWhenWanted(() => import('./onboarding/OnboardingScreen.svelte'))
export const MANAGER_DIALOG = whenWanted(() => import('./staff/ManagerPinDialog.svelte'))
export const CUSTOMERS = whenWanted(() => import('./customers/CustomersScreen.svelte'))
export const REWARDS = whenWanted(() => import('./rewards/RewardsScreen.svelte'))
export const SLIPS = whenWanted(() => import('./slips/SlipsScreen.svelte'))
export const SETTINGS = onlyWhenWanted(() => import('./settings/SettingsScreen.svelte'))
export const HELP = onlyWhenWanted(() => import('./help/HelpDialog.svelte'))
export const TOUR_CARD = onlyWhenWanted(() => import('./help/TourCard.svelte'))

/** What a till in this state draws at once: its first paint waits for that, so that nothing is added to it afterwards. */
export function drawnFirst(state: TillState): readonly Fetched[] {
  if (state.staff.locked) return [LOCK_SCREEN]
  if (state.mode === 'onboarding') return [FIRST_START]
  const refused = state.mode === 'business' && !state.accepted
  return [
    ...(state.staff.lockable ? [PEOPLE] : []),
    ...(refused || state.notices.length > 0 ? [NOTICES] : []),
    ...(state.update.kind === 'ready' ? [UPDATE_WAITS] : []),
    ...drawnFirstAtCounter(state.settings)
  ]
}
