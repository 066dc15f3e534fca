import { type MethodDeps, methodHandlers } from './method-handlers.ts'
import { profileHandlers } from './profile-handlers.ts'
import { createProfiles, type ProfileDeps } from './profile-service.ts'

/** What a person needs to know before signing in, and changes afterwards. */
export function composeProfile(deps: MethodDeps & ProfileDeps) {
  return {
    authProfile: methodHandlers(deps),
    authUser: profileHandlers(createProfiles(deps)),
  }
}
