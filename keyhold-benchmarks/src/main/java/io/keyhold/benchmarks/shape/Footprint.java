package io.keyhold.benchmarks.shape;

/**
 * What held leases cost the client.
 *
 * @param cores processor time as a share of one core
 * @param heapPerLease bytes
 */
public record Footprint(double cores, double heapPerLease) {}
