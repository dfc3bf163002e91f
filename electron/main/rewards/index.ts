/** The rewards catalogue, read to its end and kept. */
export { createCatalogue, type Owner, type RewardsCatalogue } from './catalogue.ts'
export { createKeptCatalogue, type KeptCatalogue } from './kept-catalogue.ts'
