/** The size of tests that grow with a number: random cases, kills, combinations of themes and directions. */

/**
 * True in `npm run test:accessibility`, `test:crash`, `test:faults`, `test:fuzz` and `test:model`, which run the full size; false in
 * `npm test`, which runs a part.
 */
export const FULL = process.env['TILLPOINTS_TESTS'] === 'full'
