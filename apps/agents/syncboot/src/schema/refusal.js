/**
 * The request cannot become a table. Becomes -32602 with `path` and `expected` in its data (S2). The sentence never repeats
 * an argument's value: arguments may be sensitive, and an error travels further than they do.
 */
export class InvalidDomain extends Error {
    name = 'InvalidDomain';
    /** Place of the bad argument, e.g. `fields.0.type`. */
    path;
    /** What belongs there, in words. */
    expected;
    constructor(path, expected, reason = `${path} must be ${expected}`) {
        super(reason);
        this.path = path;
        this.expected = expected;
    }
}
/** The change would destroy something that exists. Becomes -32001 (S0.5); nothing has been saved. */
export class ApprovalNeeded extends Error {
    name = 'ApprovalNeeded';
    /** What exactly was detected, e.g. `Index modification detected on table tb_membership_grade`. */
    detail;
    constructor(reason, detail) {
        super(reason);
        this.detail = detail;
    }
}
