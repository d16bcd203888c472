/** Why an answer of a caller does not count. */
export interface Complaint {
  readonly complaint: string
}
