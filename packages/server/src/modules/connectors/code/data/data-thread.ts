import { performJobs } from '@millrace/engine/threads'
import { performData } from './perform-data.ts'

performJobs(performData)
