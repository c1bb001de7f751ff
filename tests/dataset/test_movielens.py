"""MovieLens on a small archive in the published layout."""

import zipfile

import numpy as np
import pytest

from paddle_lite.core.errors import FileFormatError
from paddle_lite.dataset import common, movielens
from tests.dataset import standins


@pytest.fixture(autouse=True)
def read_anew():
    movielens._films.cache_clear()
    movielens._users.cache_clear()
    yield
    movielens._films.cache_clear()
    movielens._users.cache_clear()


@pytest.fixture
def published(cache, monkeypatch):
    path = standins.movielens(cache)
    monkeypatch.setattr(movielens, "MD5", common.md5file(path))
    return path


def replace(path, monkeypatch, **files):
    """The archive with other files."""
    names = ["movies", "users", "ratings"]
    usual = {n: movielens.zip_file(path, f"ml-1m/{n}.dat", "") for n in names}
    content = {f"ml-1m/{n}.dat": files.get(n, usual[n]) for n in names}
    standins.write_zip(path, {name: text for name, text in content.items() if text is not None})
    monkeypatch.setattr(movielens, "MD5", common.md5file(path))


def test_films_and_users(published):
    assert (movielens.max_movie_id(), movielens.max_user_id(), movielens.max_job_id()) == (3, 9, 16)
    assert movielens.movie_categories() == {"Animation": 0, "Children's": 1, "Comedy": 2, "Adventure": 3, "War": 4}
    words = ["toy", "story", "city", "of", "the,", "lost", "(cité", "des)", "soldiers"]
    assert movielens.get_movie_title_dict() == {word: number for number, word in enumerate(words)}
    assert [film.value() for film in movielens.movie_info().values()] == [
        [1, [0, 1, 2], [0, 1]],
        [3, [3], [2, 3, 4, 5, 6, 7]],
        [2, [2, 4], [0, 8]],
    ]
    assert [user.value() for user in movielens.user_info().values()] == [[1, 1, 0, 10], [2, 0, 6, 16], [9, 0, 2, 15]]
    assert repr(movielens.movie_info()[2]) == "<MovieInfo id(2), title(toy Soldiers ), categories(['Comedy', 'War'])>"
    assert str(movielens.user_info()[1]) == "<UserInfo id(1), gender(F), age(1), job(10)>"


def test_every_rating_is_in_one_of_the_sets_in_order(published):
    lines = movielens.zip_file(published, "ml-1m/ratings.dat", "").decode().split()
    ratings = [tuple(map(int, line.split("::")[:3])) for line in lines]
    drawn = np.random.RandomState(0).random_sample(len(ratings)) < 0.1
    for read, chosen in [(movielens.train, ~drawn), (movielens.test, drawn)]:
        samples = list(read()())
        expected = [rating for rating, taken in zip(ratings, chosen, strict=True) if taken]
        assert [(s[0], s[4], (s[7][0] + 5) / 2) for s in samples] == expected
        for sample in samples:
            assert sample[:4] == movielens.user_info()[sample[0]].value()
            assert sample[4:7] == movielens.movie_info()[sample[4]].value()


def test_the_global_generator_is_left_alone(published):
    before = np.random.get_state()[1].copy()
    list(movielens.train()())
    assert np.array_equal(before, np.random.get_state()[1])


def test_another_archive_is_used_with_a_warning(published, monkeypatch):
    monkeypatch.setattr(movielens, "MD5", "0" * 32)
    with pytest.warns(UserWarning, match="the published file has 0000"):
        movielens.fetch()


@pytest.mark.parametrize(
    ("files", "text"),
    [
        ({"movies": b"1::Toy Story (1995)\n"}, r"line 1 of movies\.dat has 2 fields, needs 3"),
        ({"movies": b"1::Toy Story::War\n"}, r"movies\.dat has a film '1', 'Toy Story'"),
        ({"movies": None}, r"it holds no ml-1m/movies\.dat"),
        ({"users": b"1::F::17::10::48067\n"}, r"users\.dat has a user .*17 is not in list"),
        ({"ratings": b"7::1::5::978300000\n"}, r"ratings\.dat: KeyError: 7"),
    ],
)
def test_what_does_not_fit_is_told(published, monkeypatch, files, text):
    replace(published, monkeypatch, **files)
    with pytest.raises(FileFormatError, match=text) as caught:
        list(movielens.train()())
    assert str(published) in str(caught.value) and "expected ml-1m.zip" in str(caught.value)


@pytest.mark.filterwarnings("ignore:.*has MD5")
@pytest.mark.parametrize("damage", [lambda data: data[: len(data) // 2], lambda data: b"<html>", lambda data: b""])
def test_a_truncated_or_foreign_file_is_told(published, damage):
    published.write_bytes(damage(published.read_bytes()))
    with pytest.raises(FileFormatError, match=r"expected ml-1m\.zip.*Delete the file") as caught:
        movielens.train()
    assert str(published) in str(caught.value)


@pytest.mark.parametrize("how", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_archives_hold_what_deflate_has_packed_only(tmp_path, how):
    """The others pack far more into a byte."""
    with zipfile.ZipFile(tmp_path / "a.zip", "w", how) as archive:
        archive.writestr("a", bytes(1000))
    with pytest.raises(FileFormatError, match="another way than by deflate"):
        movielens.zip_file(tmp_path / "a.zip", "a", "an archive")
