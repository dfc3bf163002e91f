/** The profiles of training businesses: shops in Athens that do not exist. */
import type { BusinessNumber } from '../store/businesses.ts'

/** What the account (interface document, part 2) says beside links and counts. */
export interface Profile {
  readonly id: string
  readonly name: string
  readonly timeZone: string
  readonly currentPlan: string
  readonly currentPlanInterval: string
  readonly address: {
    readonly street: string
    readonly city: string
    readonly state: string
    readonly country: string
    readonly zipCode: string
  }
}

const shopNames = ['Café Meltemi', 'Φούρνος Ανεμώνη', 'Bistro Kéfi', 'Ζαχαροπλαστείο Γαρδένια'] as const

/** The profile of a business; the first few have names of their own, so that nobody takes one for another. */
export const profileOf = (business: BusinessNumber): Profile => ({
  id: `usr_training${String(business).padStart(4, '0')}`,
  name: shopNames[business - 1] ?? `Café Meltemi ${business}`,
  timeZone: 'Europe/Athens',
  currentPlan: 'Growth',
  currentPlanInterval: 'monthly',
  address: {
    street: `Οδός Μελτεμιού ${10 + 2 * business}`,
    city: 'Αθήνα',
    state: 'Αττική',
    country: 'Greece',
    zipCode: '105 57'
  }
})
