/** What a field's extensions say of its calls and of its size. */
export interface UpstreamCallsExtension {
  /** Headers without which its calls are not made. Default none. */
  readonly requiredCredentials?: readonly string[];
  /** Calls of the field itself, for each object it stands on. Default 1 for a root field, else 0. */
  readonly calls?: number;
  /** Name of the list argument each member of which causes the field's calls, and is a member of its list. */
  readonly callsForEach?: string;
  /** Most members of the field's list, where that is known. */
  readonly maxMembers?: number;
}
