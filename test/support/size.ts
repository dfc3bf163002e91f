/** How much of a test that could go on for ever is run. */

/** False inside `npm test`, which must end soon; true in `npm run test:faults` and `npm run test:fuzz`. */
export const FULL = process.env['TILLPOINTS_TESTS'] === 'full'
