/** The extensions of a field about its calls to the document service and the size of its result. */
export interface UpstreamCallsExtension {
  /** Headers that its calls require. Default: none. */
  readonly requiredCredentials?: readonly string[];
  /** Calls that the field causes for each parent object. Default: 1 for a root field, else 0. */
  readonly calls?: number;
  /** Name of a list argument. Each of its members causes the field's calls, and a member of the field's list. */
  readonly callsForEach?: string;
  /** Most members of the field's list, where known. */
  readonly maxMembers?: number;
}
