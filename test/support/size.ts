/** The size of tests that grow with a number: random cases, kills, combinations of themes and directions. */

/**
 * True in `npm run test:accessibility`, `test:crash`, `test:e2e`, `test:faults`, `test:fuzz`, `test:model`, `test:postgres`,
 * `test:printing` and `test:slip-pdf`, which run the full size; false in `npm run test:all`, which runs a part.
 */
export const FULL = process.env['TILLPOINTS_TESTS'] === 'full'

/** All of them in the full size, else one in turn. */
export const partOf = <Item>(all: readonly Item[], index: number): readonly Item[] =>
  FULL ? all : all.filter((_item, at) => at === index % all.length)
