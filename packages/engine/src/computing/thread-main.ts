import { performJobs } from '#threads/perform-jobs.ts'
import { compute } from './compute.ts'

/** The thread that does what takes too long for the one that serves requests. */
performJobs(compute)
