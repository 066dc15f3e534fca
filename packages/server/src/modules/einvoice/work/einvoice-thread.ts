import { performJobs } from '@millrace/engine/threads'
import { performEinvoice } from './perform-einvoice.ts'

performJobs(performEinvoice)
