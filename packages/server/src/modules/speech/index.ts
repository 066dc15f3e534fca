export { createAudioDuration } from './audio-duration.ts'
export { speechHandlers } from './handlers.ts'
export { createTranscriptStreams } from './transcript-stream.ts'
