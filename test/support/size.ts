/** The size of tests that grow with a number: random cases, kills, combinations of themes and directions. */

/**
 * True in `npm run test:accessibility`, `test:crash`, `test:e2e`, `test:faults`, `test:fuzz`, `test:model`, `test:postgres` and
 * `test:slip-pdf`, which run the full size; false in `npm run test:all`, which runs a part.
 */
export const FULL = process.env['TILLPOINTS_TESTS'] === 'full'
