import { performJobs } from '@millrace/engine/threads'
import { performDocument } from './perform-document.ts'

performJobs(performDocument)
