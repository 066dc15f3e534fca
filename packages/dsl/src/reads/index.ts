// What is done with the reads of a definition: loads neither jq nor a parser.
export { inputSkeleton, readsNotIn } from './input-parts.ts'
export type { InputRead } from './input-read.ts'
