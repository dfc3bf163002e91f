import { type PointsRule, ownRule } from '../../electron/contract/points-calculation.ts'
import { ShopRules, type ShopRulesDependencies } from '../../electron/main/session/shop-rules.ts'
import { systemClock } from '../../electron/main/session/reachability.ts'

/** Returns the rules of a till whose shop has none. They read nothing until they are started. */
export const shopRulesOf = ({
  session,
  settings
}: Pick<ShopRulesDependencies, 'session' | 'settings'>): ShopRules =>
  new ShopRules({
    session,
    settings,
    serviceClock: { aheadMs: 0 },
    clock: systemClock,
    onChange: () => undefined
  })

/** Returns rules that are the till's own. */
export const ownRules = (
  rule: () => PointsRule | null
): Pick<ShopRules, 'current' | 'ofShop' | 'expiry'> => ({
  get current() {
    const own = rule()
    return own && ownRule(own)
  },
  ofShop: null,
  expiry: null
})
