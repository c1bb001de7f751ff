"""The sounds of librosa that models of speech ask for: reading a WAV file, spectrograms, filters of the mel scale."""

import types
import wave

import numpy as np


def load(path, sr=22050, dtype=np.float32, **keywords):
    """Return a sound of one channel, from -1 to 1, and its rate; no sound is resampled."""
    with wave.open(str(path)) as sound:
        rate = sound.getframerate()
        numbers = np.frombuffer(sound.readframes(sound.getnframes()), "<i2")
    if sr is not None and sr != rate:
        raise ValueError(f"{path} has {rate} numbers a second, needs {sr}: this stand-in resamples nothing")
    return (numbers / 32768).astype(dtype), rate


def stft(y, n_fft=2048, hop_length=None, win_length=None, window="hann", center=True, pad_mode="reflect", **keywords):
    """Return the spectra of the windows of a sound: [1 + n_fft // 2, windows], complex64."""
    length = win_length or n_fft
    hop = hop_length or length // 4
    shape = np.zeros(n_fft)
    start = (n_fft - length) // 2
    shape[start : start + length] = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(length) / length)
    if center:
        y = np.pad(y, n_fft // 2, mode=pad_mode)
    count = 1 + (len(y) - n_fft) // hop
    pieces = np.stack([y[k * hop : k * hop + n_fft] * shape for k in range(count)], axis=1)
    return np.fft.rfft(pieces, axis=0).astype(np.complex64)


def magphase(D, power=1):
    """Return the sizes and the directions of complex numbers."""
    size = np.abs(D)
    return size**power, np.exp(1j * np.angle(D))


def _mels(hertz):
    return 2595 * np.log10(1 + np.asarray(hertz) / 700)


def mel(sr, n_fft, n_mels=128, fmin=0.0, fmax=None, **keywords):
    """Return triangles on the mel scale: [n_mels, 1 + n_fft // 2]."""
    edges = np.linspace(_mels(fmin), _mels(fmax or sr / 2), n_mels + 2)
    places = _mels(np.linspace(0, sr / 2, 1 + n_fft // 2))
    rise = (places - edges[:-2, None]) / np.diff(edges)[:-1, None]
    fall = (edges[2:, None] - places) / np.diff(edges)[1:, None]
    return np.maximum(0, np.minimum(rise, fall)).astype(np.float32)


def melspectrogram(y=None, sr=22050, S=None, n_fft=2048, hop_length=512, power=2.0, **keywords):
    """Return the sizes of a spectrogram on the mel scale."""
    if S is None:
        S = np.abs(stft(y, n_fft, hop_length)) ** power
    return mel(sr, 2 * (S.shape[0] - 1), **keywords) @ S


core = types.SimpleNamespace(load=load, stft=stft, magphase=magphase)
filters = types.SimpleNamespace(mel=mel)
feature = types.SimpleNamespace(melspectrogram=melspectrogram)
