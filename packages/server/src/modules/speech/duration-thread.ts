import { performJobs } from '@millrace/engine/threads'
import { durationOf } from './duration-of.ts'

performJobs(durationOf)
