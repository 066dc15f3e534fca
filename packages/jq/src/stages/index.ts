// The stages of a program for a lens: nothing else of the engine is exported here.
export { type Stage, type StageError, stages, type StagesOptions, type StageValue } from './stages.ts'
